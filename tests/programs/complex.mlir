// Complex numbers.
func.func @arithmetic() {
  %a = stablehlo.constant dense<[(1.0, 2.0), (11.0, 2.0)]> : tensor<2xcomplex<f32>>
  %b = stablehlo.constant dense<[(3.0, -4.0), (3.0, -4.0)]> : tensor<2xcomplex<f32>>
  %s = stablehlo.add %a, %b : tensor<2xcomplex<f32>>
  %d = stablehlo.subtract %a, %b : tensor<2xcomplex<f32>>
  %p = stablehlo.multiply %a, %b : tensor<2xcomplex<f32>>
  %q = stablehlo.divide %a, %b : tensor<2xcomplex<f32>>
  %n = stablehlo.negate %a : tensor<2xcomplex<f32>>
  check.expect_eq_const %s, dense<[(4.0, -2.0), (14.0, -2.0)]> : tensor<2xcomplex<f32>>
  check.expect_eq_const %d, dense<[(-2.0, 6.0), (8.0, 6.0)]> : tensor<2xcomplex<f32>>
  check.expect_eq_const %p, dense<[(11.0, 2.0), (41.0, -38.0)]> : tensor<2xcomplex<f32>>
  check.expect_almost_eq_const %q, dense<[(-0.2, 0.4), (1.0, 2.0)]> : tensor<2xcomplex<f32>>
  check.expect_eq_const %n, dense<[(-1.0, -2.0), (-11.0, -2.0)]> : tensor<2xcomplex<f32>>
  return
}

func.func @parts() {
  %z = stablehlo.constant dense<[(3.0, -4.0)]> : tensor<1xcomplex<f32>>
  %r = stablehlo.real %z : (tensor<1xcomplex<f32>>) -> tensor<1xf32>
  %i = stablehlo.imag %z : (tensor<1xcomplex<f32>>) -> tensor<1xf32>
  %a = stablehlo.abs %z : (tensor<1xcomplex<f32>>) -> tensor<1xf32>
  %c = stablehlo.complex %i, %r : tensor<1xcomplex<f32>>
  %s = stablehlo.sign %z : tensor<1xcomplex<f32>>
  check.expect_eq_const %r, dense<3.0> : tensor<1xf32>
  check.expect_eq_const %i, dense<-4.0> : tensor<1xf32>
  check.expect_almost_eq_const %a, dense<5.0> : tensor<1xf32>
  check.expect_eq_const %c, dense<(-4.0, 3.0)> : tensor<1xcomplex<f32>>
  check.expect_almost_eq_const %s, dense<(0.6, -0.8)> : tensor<1xcomplex<f32>>
  %x = stablehlo.constant dense<[2.0]> : tensor<1xf32>
  %u = stablehlo.real %x : (tensor<1xf32>) -> tensor<1xf32>
  %v = stablehlo.imag %x : (tensor<1xf32>) -> tensor<1xf32>
  check.expect_eq_const %u, dense<2.0> : tensor<1xf32>
  check.expect_eq_const %v, dense<0.0> : tensor<1xf32>
  return
}

func.func @comparison() {
  %a = stablehlo.constant dense<[(1.0, 2.0), (1.0, 2.0), (0.0, 0.0)]> : tensor<3xcomplex<f32>>
  %b = stablehlo.constant dense<[(1.0, 2.0), (1.0, -2.0), (-0.0, 0.0)]> : tensor<3xcomplex<f32>>
  %e = stablehlo.compare EQ, %a, %b : (tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>) -> tensor<3xi1>
  %n = stablehlo.compare NE, %a, %b : (tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>) -> tensor<3xi1>
  check.expect_eq_const %e, dense<[true, false, true]> : tensor<3xi1>
  check.expect_eq_const %n, dense<[false, true, false]> : tensor<3xi1>
  return
}

func.func @functions() {
  %a = stablehlo.constant dense<[(0.0, 3.141592653589793), (0.0, 0.0)]> : tensor<2xcomplex<f64>>
  %e = stablehlo.exponential %a : tensor<2xcomplex<f64>>
  check.expect_almost_eq_const %e, dense<[(-1.0, 0.0), (1.0, 0.0)]> : tensor<2xcomplex<f64>> {tolerance = 1.0e-14 : f64}
  %b = stablehlo.constant dense<[(-1.0, 0.0), (0.0, 1.0)]> : tensor<2xcomplex<f64>>
  %l = stablehlo.log %b : tensor<2xcomplex<f64>>
  check.expect_almost_eq_const %l, dense<[(0.0, 3.141592653589793), (0.0, 1.5707963267948966)]> : tensor<2xcomplex<f64>> {tolerance = 1.0e-14 : f64}
  %c = stablehlo.constant dense<[(-4.0, 0.0), (-4.0, -0.0), (3.0, 4.0)]> : tensor<3xcomplex<f64>>
  %s = stablehlo.sqrt %c : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %s, dense<[(0.0, 2.0), (0.0, -2.0), (2.0, 1.0)]> : tensor<3xcomplex<f64>> {tolerance = 1.0e-14 : f64}
  %i = stablehlo.constant dense<[(0.0, 1.0)]> : tensor<1xcomplex<f64>>
  %two = stablehlo.constant dense<[(2.0, 0.0)]> : tensor<1xcomplex<f64>>
  %p = stablehlo.power %i, %two : tensor<1xcomplex<f64>>
  check.expect_almost_eq_const %p, dense<(-1.0, 0.0)> : tensor<1xcomplex<f64>> {tolerance = 1.0e-14 : f64}
  %sin = stablehlo.sine %i : tensor<1xcomplex<f64>>
  %cos = stablehlo.cosine %i : tensor<1xcomplex<f64>>
  %tanh = stablehlo.tanh %i : tensor<1xcomplex<f64>>
  check.expect_almost_eq_const %sin, dense<(0.0, 1.1752011936438014)> : tensor<1xcomplex<f64>> {tolerance = 1.0e-14 : f64}
  check.expect_almost_eq_const %cos, dense<(1.5430806348152437, 0.0)> : tensor<1xcomplex<f64>> {tolerance = 1.0e-14 : f64}
  check.expect_almost_eq_const %tanh, dense<(0.0, 1.5574077246549023)> : tensor<1xcomplex<f64>> {tolerance = 1.0e-14 : f64}
  return
}

func.func @conjugate() {
  %z = stablehlo.constant dense<[(1.0, -2.0)]> : tensor<1xcomplex<f32>>
  %c = chlo.conj %z : tensor<1xcomplex<f32>> -> tensor<1xcomplex<f32>>
  check.expect_eq_const %c, dense<(1.0, 2.0)> : tensor<1xcomplex<f32>>
  return
}

func.func @sums() {
  %z = stablehlo.constant dense<[[(1.0, 2.0), (3.0, 4.0)], [(5.0, 6.0), (7.0, 8.0)]]> : tensor<2x2xcomplex<f32>>
  %i = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
  %r = stablehlo.reduce(%z init: %i) applies stablehlo.add across dimensions = [0] : (tensor<2x2xcomplex<f32>>, tensor<complex<f32>>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %r, dense<[(6.0, 8.0), (10.0, 12.0)]> : tensor<2xcomplex<f32>>
  %m = stablehlo.dot_general %z, %z, contracting_dims = [1] x [0] : (tensor<2x2xcomplex<f32>>, tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
  check.expect_eq_const %m, dense<[[(-12.0, 42.0), (-16.0, 62.0)], [(-20.0, 98.0), (-24.0, 150.0)]]> : tensor<2x2xcomplex<f32>>
  return
}
